#pragma once

/// `A2H_FOR_EACH(macro, fixed, a, b, c)` is `macro(fixed, a), macro(fixed, b), macro(fixed, c)`,
/// for up to 256 arguments. The preprocessor expands a macro inside itself only when it rescans, so
/// each level below makes it rescan four times as often.
#define A2H_FOR_EACH(macro, fixed, ...) \
    __VA_OPT__(A2H_LOOK_256(A2H_FOR_EACH_FROM(macro, fixed, __VA_ARGS__)))
#define A2H_FOR_EACH_FROM(macro, fixed, first, ...) \
    macro(fixed, first) __VA_OPT__(, A2H_FOR_EACH_AGAIN A2H_PARENS(macro, fixed, __VA_ARGS__))
#define A2H_FOR_EACH_AGAIN() A2H_FOR_EACH_FROM
#define A2H_PARENS ()
#define A2H_LOOK_256(...) A2H_LOOK_64(A2H_LOOK_64(A2H_LOOK_64(A2H_LOOK_64(__VA_ARGS__))))
#define A2H_LOOK_64(...) A2H_LOOK_16(A2H_LOOK_16(A2H_LOOK_16(A2H_LOOK_16(__VA_ARGS__))))
#define A2H_LOOK_16(...) A2H_LOOK_4(A2H_LOOK_4(A2H_LOOK_4(A2H_LOOK_4(__VA_ARGS__))))
#define A2H_LOOK_4(...) A2H_LOOK_1(A2H_LOOK_1(A2H_LOOK_1(A2H_LOOK_1(__VA_ARGS__))))
#define A2H_LOOK_1(...) __VA_ARGS__
