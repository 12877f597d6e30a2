# shellcheck shell=sh
# What has become of each chapter, and the summary of it: a part of ladder.sh, which sets `work`, `results`, `chapters`,
# `checkout` and `build_only`. $work/NAME.state holds one word for a chapter, a space, and what there is to say.
# shellcheck disable=SC2154 # those five

set_state() {
  chapter=$1
  shift
  printf '%s\n' "$*" >"$work/$chapter.state"
}
# The word that is before the first space.
state_of() { sed 's/ .*//;1q' "$work/$1.state"; }

summary() {
  column="fastest kernel, median time"
  [ "$build_only" = no ] || column=program
  printf '%-16s  %-8s  %s\n' chapter result "$column"
  for name in $chapters; do
    state=$(cat "$work/$name.state")
    printf '%-16s  %-8s  %s\n' "$name" "${state%% *}" "${state#* }"
  done | sed 's/ *$//'
  [ ! -f "$work/notes" ] || cat "$work/notes"
}
# In one go, so that a reader never sees half of it.
write_summary() {
  [ "$build_only" = yes ] || { summary >"$work/summary" && cp "$work/summary" "$results/summary.txt"; }
}

# The fastest of the kernels in a results file, with its time, bandwidth and share of the ceiling.
fastest() {
  awk '
    function value(key,  at, rest) {
      at = index($0, "\"" key "\": ")
      if (at == 0) return ""
      rest = substr($0, at + length(key) + 4)
      sub(/[,}].*/, "", rest)
      gsub(/"/, "", rest)
      return rest == "null" ? "" : rest
    }
    value("median_ms") != "" && (best == "" || value("median_ms") + 0 < best) {
      best = value("median_ms") + 0
      line = sprintf("%-12s %9.4f ms %8.1f GB/s %6.1f %% of the ceiling", value("kernel"), best, value("gb_per_s"),
                     value("percent_of_ceiling"))
    }
    END { print line }' "$1"
}

# The line that best says why something failed.
telling_line() {
  line=$(grep -i -e error -e 'wrong result' "$1" | sed 1q)
  [ -n "$line" ] || line=$(grep '[^ ]' "$1" | tail -n 1)
  printf '%s\n' "${line#"$checkout/"}" | cut -c 1-160
}
