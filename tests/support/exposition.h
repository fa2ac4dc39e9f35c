#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace a2h::test {

/// A page of metrics as a strict scraper reads it. Written from the format's description alone, so
/// that it shares no mistake with the code that writes such pages.
/// Source: Prometheus, "Exposition formats", 0.0.4; the naming rules are ours (docs/metrics.md).
class Scrape {
  public:
    /// Throws `Fault` for anything that the format or our names do not allow: it names the line.
    explicit Scrape(std::string_view text);

    struct Fault : std::runtime_error {
        using std::runtime_error::runtime_error;
    };

    /// By name and labels as written: `a2hd_x_total{reason="own_echo"}`. Throws `Fault` when there
    /// is none.
    double value(const std::string& series) const;
    bool has(const std::string& series) const { return values_.contains(series); }
    const std::map<std::string, double>& values() const { return values_; }
    /// Name → type of each family.
    const std::map<std::string, std::string>& types() const { return types_; }

  private:
    struct Line;
    void read_line(std::string_view line);
    void read_comment(std::string_view line);
    void read_sample(std::string_view line);
    void check_bucket(const Line& line);
    void end_family();

    std::string family_;       ///< the one whose lines are being read
    std::string help_of_;      ///< whose HELP came last
    double bound_ = 0;         ///< `le` of the bucket before
    double below_ = 0;         ///< and its value
    bool is_bounded_ = false;  ///< a histogram whose last bucket was not "+Inf"
    bool has_bucket_ = false;
    std::map<std::string, double> values_;
    std::map<std::string, std::string> types_;
};

}  // namespace a2h::test
