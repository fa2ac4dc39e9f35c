// The least that a server can do for tools/call: it finds a request's number and answers with the
// same text each time, that of FILE when one is named. What a client measures here is the client.
//   mcp_floor [FILE]
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char kSession[] =
    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
    "\"serverInfo\":{\"name\":\"floor\",\"version\":\"1\"}}";
static const char kResult[] = "{\"content\":[{\"type\":\"text\",\"text\":\"hello\"}]}";

int main(int argc, char** argv) {
    static char answer[64 * 1024];
    static char given[32 * 1024];
    if (argc > 1) {
        FILE* file = fopen(argv[1], "r");
        if (file == NULL || fread(given, 1, sizeof given - 1, file) == 0) return 1;
        fclose(file);
    }
    const char* called = argc > 1 ? given : kResult;
    char* line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        const char* id = strstr(line, "\"id\":");
        if (id == NULL) continue;
        id += strlen("\"id\":");
        const char* result = strstr(line, "\"initialize\"") != NULL ? kSession : called;
        const int size =
            snprintf(answer, sizeof answer, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":%s}\n",
                     (int)strspn(id, "0123456789"), id, result);
        if (write(STDOUT_FILENO, answer, (size_t)size) != size) return 1;
    }
    return 0;
}
