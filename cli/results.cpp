#include "results.hpp"

#include <nlohmann/json.hpp>

#include "host/errors.hpp"
#include "host/files.hpp"
#include "host/json.hpp"

namespace course::tool {
namespace {

using Json = nlohmann::json;

/// A number; absent if it is null or not there at all.
std::optional<double> figure(const Json& row, const char* name) {
  const auto found = row.find(name);
  if (found == row.end() || found->is_null()) return std::nullopt;
  return found->get<double>();
}

Result read_result(const Json& row) {
  Result result;
  result.kernel = row.at("kernel").get<std::string>();
  result.verified = row.at("verified").get<bool>();
  result.bytes = row.at("bytes").get<double>();
  result.operations = row.at("operations").get<double>();
  result.median_ms = figure(row, "median_ms");
  result.p10_ms = figure(row, "p10_ms");
  result.p90_ms = figure(row, "p90_ms");
  result.gb_per_s = figure(row, "gb_per_s");
  result.percent_of_ceiling = figure(row, "percent_of_ceiling");
  result.wall_ms = figure(row, "wall_ms");
  result.load_requests = figure(row, "global_load_requests");
  result.load_sectors = figure(row, "global_load_sectors");
  result.store_sectors = figure(row, "global_store_sectors");
  result.bank_conflicts = figure(row, "shared_bank_conflicts");
  return result;
}

}  // namespace

Report read_report(const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) throw Failure("it wrote no results");
  try {
    const Json json = parse_json(*text);
    Report report;
    report.backend = json.at("backend").get<std::string>();
    report.device = json.at("device").get<std::string>();
    report.rows = json.at("rows").get<double>();
    report.cols = json.at("cols").get<double>();
    if (const auto ceiling = json.find("ceiling"); ceiling != json.end() && !ceiling->is_null()) {
      report.ceiling = ceiling->at("name").get<std::string>();
      report.ceiling_gb_per_s = figure(*ceiling, "gb_per_s");
    }
    for (const Json& row : json.at("results")) report.results.push_back(read_result(row));
    return report;
  } catch (const Json::exception& error) {
    throw Failure(std::string("its results cannot be read: ") + error.what());
  }
}

}  // namespace course::tool
