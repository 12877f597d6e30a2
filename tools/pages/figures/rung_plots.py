"""One plot for each chapter that tells its story: a bar for each rung, against what limits them all.

A chapter whose story another plot tells is in TOLD_BY. To give a new chapter its plot, add it to STORIES: what the
bars say, and the rows that are drawn, named as a page's tables name them (docs/results/README.md).
"""

from typing import Callable, NamedTuple

import results_files
from plotting import BLUE, FAINT, INK, PAPER, Figure, as_list, axes_in, beside, is_narrow
from result_tables import ceiling_of, own_ceiling

GPU = "nvidia-h200"
WIDE = 600 / 96  # inches: half as wide on a phone that shows GitHub's page, it can still be read
EDGE, GAP = 0.08, 0.06  # inches: at the edge of the page, and beside a bar


class Story(NamedTuple):
    claim: Callable  # the title, from the rates and the ratios that were measured, by the names of the bars
    groups: dict  # what is above the bars of a group, if there are several: the names of its results
    beside_it: tuple = ()  # bars that are there for comparison, in grey; so are those of other chapters
    limit: str = ""  # what the page calls the limit, where that is not its name in the results


MANY, SQUARE = "262,144 × 1,024: sixteen times the warps", "16,384 × 16,384"
STORIES = {
    "00_first_kernel": Story(
        lambda rate, _: f"Blocks of 1 × 256 take {rate['sum 256 x 1'] / rate['sum 1 x 256']:.1f} times as long "
                        "as 256 × 1",
        {"": [f"{GPU}/00_first_kernel"]}),
    "01_global": Story(
        lambda rate, _: f"One thread per row reads at {100 * rate['global'] / rate['read']:.0f} % of the ceiling",
        {"": [f"{GPU}#01_global,07_cublas:cublas-row-major@16384x16384"]}),
    "02_coalesced": Story(
        lambda *_: "Coalescing pays once there are enough warps",
        {SQUARE: [f"{GPU}#01_global,02_coalesced@16384x16384"], MANY: [f"{GPU}#01_global,02_coalesced@262144x1024"]}),
    "03_constant": Story(
        lambda *_: "With enough warps constant memory gains nothing",
        {SQUARE: [f"{GPU}#02_coalesced,03_constant@16384x16384"],
         MANY: [f"{GPU}#02_coalesced,03_constant@262144x1024"]}),
    "04_shared": Story(
        lambda *_: "The loop's known length made it fast, not the tile",
        {"so far": [f"{GPU}#02_coalesced,03_constant:constant,04_shared@16384x16384"],
         "the same tiles, the length of the loop known or not":
             [f"{GPU}/04_shared", f"{GPU}/variants/shared_width_unknown"]}),
    "05_shuffle": Story(
        lambda *_: "Loads in flight made it fast, not shuffles",
        {"so far": [f"{GPU}#02_coalesced,03_constant:constant,04_shared,05_shuffle@16384x16384"],
         "the same shuffles, after 32 loads or after each":
             [f"{GPU}/05_shuffle", f"{GPU}/variants/shuffle_load_by_load"]}),
    "08_gemm_tiling": Story(
        lambda rate, _: f"Tiles gain {rate['tiled 32 x 32'] / rate['naive 32 x 32']:.1f} times; cuBLAS is "
                        f"{rate['cuBLAS'] / rate['tiled 32 x 32']:.1f} times ahead",
        {"": [f"{GPU}#08_gemm_tiling@4096x4096x4096"]}, ("cuBLAS",)),
    "10_reduction": Story(
        lambda rate, _: f"Loads in flight take a sum to {100 * rate['strides'] / rate['read']:.0f} % of the ceiling",
        {"": [f"{GPU}#10_reduction@268435456"]}, ("CUB",)),
    "11_transpose": Story(
        lambda _, ratio: f"16 bytes at a time: {100 * ratio['16 bytes']:.0f} % of a copy's speed",
        {"": [f"{GPU}#11_transpose:copy,11_transpose:by-rows,11_transpose:by-columns,11_transpose:tile,"
              "11_transpose:padded,11_transpose:two-each,11_transpose:four-each,11_transpose:swizzled,"
              "11_transpose:16-bytes,11_transpose:any-shape@16384x16384"]}, ("copy",)),
    "12_stencil": Story(
        lambda *_: "Four points per thread: a sweep as fast as a copy",
        {"one sweep": [f"{GPU}#12_stencil:from-memory,12_stencil:weights-in-memory,12_stencil:from-shared,"
                       "12_stencil:by-fours,12_stencil:by-shuffles@268435456"],
         "sixteen sweeps, bytes counted once":
             [f"{GPU}#12_stencil:single-sweeps,12_stencil:many-in-one@268435456"]}),
    "13_warp": Story(
        lambda *_: "Four per thread, one atomic per block: a copy's speed",
        {"scan": [f"{GPU}#13_warp:in-shared,13_warp:two-stages,13_warp:one-warp,13_warp:by-instruction,"
                  "13_warp:by-fours,13_warp:whole-array,13_warp:cub-devicescan@268435456"],
         "append": [f"{GPU}#13_warp:append-by-lanes,13_warp:append-by-compiler,13_warp:append-by-warps,"
                    "13_warp:append-by-blocks,13_warp:cub-deviceselect@268435456"]},
        ("CUB DeviceScan", "CUB DeviceSelect")),
    "14_memory": Story(
        lambda *_: "Zero-copy beats every copy; missed pages lose to all",
        {"": [f"{GPU}#14_memory:pageable,14_memory:registered,14_memory:pinned,14_memory:portable,"
              "14_memory:write-combined,14_memory:with-cudamalloc,14_memory:with-a-pool,14_memory:with-a-pool-kept,"
              "14_memory:mapped,14_memory:managed,14_memory:managed-advised,14_memory:managed-prefetched@16777213"]}),
    "15_streams": Story(
        lambda _, ratio: f"The best pipeline has {ratio['as a graph']:.2f} of the copies' own speed",
        {"": [f"{GPU}#15_streams:copy-in,15_streams:one-after-the-other,15_streams:kernels-in-default,"
              "15_streams:depth-first,15_streams:breadth-first,15_streams:by-kind,15_streams:by-threads,"
              "15_streams:as-a-graph@67108864"]}, ("copy in",)),
    "16_cublas_tour": Story(
        lambda _, ratio: f"Tensor cores: FP16 and BF16 {ratio['FP16 to FP32']:.1f} times as fast as FP32",
        {"": [f"{GPU}#16_cublas_tour:gemm,16_cublas_tour:gemm-tf32,16_cublas_tour:fp16-to-fp32,"
              "16_cublas_tour:bf16-to-fp32,16_cublas_tour:dgemm@4096x4096"]}, limit="FP32 ceiling"),
    "17_cutensor": Story(
        lambda _, ratio: f"Ours has {ratio['direct']:.2f} of cuTENSOR's speed, TF32 "
                         f"{ratio['cuTENSOR, TF32']:.1f} times it",
        {"": [f"{GPU}#17_cutensor@9216x6144"]}, ("cuTENSOR", "matrices, cuBLAS"), "FP32 ceiling"),
    "18_opencl": Story(
        lambda *_: "OpenCL keeps up with CUDA where the driver lets it",
        {"": [f"{GPU}/18_opencl_4096"]},
        ("CUDA naive", "CUDA sub-matrix", "CUDA work per item", "CUDA 8 x 8")),
    "20_gemm_pipeline": Story(
        lambda _, ratio: f"Producer warps pass cuBLAS: ours is {ratio['ours']:.2f} times as fast",
        {"": [f"{GPU}#20_gemm_pipeline:2-stages,20_gemm_pipeline:3-stages,20_gemm_pipeline:4-stages,"
              "20_gemm_pipeline:5-stages,20_gemm_pipeline:register-prefetch,20_gemm_pipeline:8-x-16,20_gemm_pipeline:producer-warps,"
              "20_gemm_pipeline:stream-k,20_gemm_pipeline:packed,20_gemm_pipeline:ours,"
              "20_gemm_pipeline:cublas@4096x4096x4096"]}, ("cuBLAS",)),
    "21_tensor_cores": Story(
        lambda rate, _: f"Our best has {100 * rate['producer warps'] / rate['mma BF16']:.0f} % of mma's ceiling; cuBLAS uses "
                        "wgmma",
        {"": [f"{GPU}#21_tensor_cores:wmma,21_tensor_cores:wmma-shared,21_tensor_cores:ldmatrix,21_tensor_cores:padded,"
              "21_tensor_cores:swizzled,21_tensor_cores:3-stages,21_tensor_cores:register-prefetch,21_tensor_cores:128-x-256,"
              "21_tensor_cores:whole-tiles,21_tensor_cores:producer-warps,21_tensor_cores:stream-k,"
              "21_tensor_cores:bf16-by-cublas@4096x4096x4096"]}, ("BF16 by cuBLAS",)),
    "22_hopper": Story(
        lambda rate, _: f"Ours passes cuBLAS: {rate['ours'] / rate['cuBLAS']:.2f} times as fast",
        {"": [f"{GPU}/22_hopper_8192:wgmma-alone,wgmma,128-x-128,ring,two-consumers,128-x-256,block-order,persistent,tma-store,"
              "clusters,ours,cublas"]}, ("cuBLAS",), "wgmma alone"),
    "25_sort": Story(
        lambda rate, _: f"One sweep by predicates: {rate['predicates'] / rate['passes']:.1f} times as fast as plain passes",
        {"": [f"{GPU}#25_sort:merged,25_sort:passes,25_sort:in-runs,25_sort:ballots,25_sort:one-sweep,25_sort:predicates,"
              "25_sort:ours,25_sort:cub-deviceradixsort@16777216"]},
        ("CUB DeviceRadixSort",)),
    "26_sparse": Story(
        lambda rate, _: f"Equal shares: {rate['ours'] / rate['thread per row']:.1f} times as fast as a thread per row",
        {"": [f"{GPU}/26_sparse:coo,thread-per-row,warp-per-row,adaptive,merge-path,ours,ell,sliced-ell"]}),
    "27_rows": Story(
        lambda rate, _: f"Rows that stay in registers: softmax at {100 * rate['ours'] / rate['copy']:.0f} % of a copy",
        {"softmax": [f"{GPU}#27_rows:three-passes,27_rows:online,27_rows:online-ex2,27_rows:16-bytes,27_rows:ours"
                     "@32768x4096"],
         "the others": [f"{GPU}#27_rows:log-softmax,27_rows:cross-entropy,27_rows:layer-norm,27_rows:rms-norm"
                        "@32768x4096"]}),
    "28_attention": Story(
        lambda rate, _: f"Attention at {100 * rate['ours'] / rate['wgmma BF16']:.0f} % of what tensor cores do alone",
        {"": [f"{GPU}#28_attention:three-kernels,28_attention:online,28_attention:mma-sync,28_attention:wgmma,"
              "28_attention:in-flight,28_attention:turns,28_attention:ours@4096x4096x128"]}),
    "29_fp32_on_tensor_cores": Story(
        lambda rate, _: f"Three products of halves: {rate['ours'] / rate['cuBLAS']:.1f} times as fast as cuBLAS' FP32",
        {"": [f"{GPU}/29_fp32_4096"]}, ("cuBLAS",)),
    "23_scan": Story(
        lambda rate, ratio: f"Publish before you wait: {ratio['ahead']:.2f} times CUB's speed at 2^28",
        {"scan": [f"{GPU}#23_scan:tree,23_scan:warps,23_scan:reduce-first,23_scan:chained,23_scan:one-looks-back,"
                  "23_scan:warp-looks-back,23_scan:apart,23_scan:in-groups,23_scan:ahead-in-groups,23_scan:ahead,"
                  "23_scan:cub-devicescan@268435456"],
         "compaction": [f"{GPU}#23_scan:compaction,23_scan:cub-deviceselect@268435456"]},
        ("CUB DeviceScan", "CUB DeviceSelect")),
}  # fmt: skip
# Chapters whose story a plot of another kind tells.
TOLD_BY = {"06_unroll": "sgemv-ladder", "07_cublas": "sgemv-drawn", "09_gemm_unroll": "sgemm-ladder",
           "19_gemm_registers": "gemm-registers", "24_histogram": "histogram-wavefronts", "30_several_gpus": "all-reduce"}  # fmt: skip


def name_of(chapter):
    """The plot that tells the chapter's story; None if no table has the chapter."""
    known = TOLD_BY.get(chapter) or (chapter if chapter in STORIES else None)
    return known and f"{known}-{GPU}"


def extents(report):
    several = [f"{n:,}" for n in (report["rows"], report["cols"], report.get("inner") or 1) if n > 1]
    return " × ".join(several) if len(several) > 1 else f"{several[0]} elements"


def bars_of(chapter, report):
    """A bar for each row of one report. Where the first row is the ceiling of all, it is the limit, and no bar."""
    limit, rate, _ = ceiling_of(report)
    own = own_ceiling(report)
    return [{"name": row["kernel"], "rate": row[rate], "limit": own[rate] if own else limit,
             "ratio": row.get("ratio_to_library", row.get("ratio_to_cublas")),
             "beside": row.get("chapter", chapter) != chapter or row["kernel"] in STORIES[chapter].beside_it}
            for row in report["results"] if row is not own]  # fmt: skip


def written(value, unit):
    return f"{value:,.0f}" if unit == "GB/s" else f"{value / 1000:,.{1 if value < 100_000 else 0}f}"


def wide(page, text, **how):
    """How wide the text is, in inches."""
    drawn = page.text(0, 0, text, **how)
    extent = drawn.get_window_extent(page.canvas.get_renderer()).width / page.dpi
    drawn.remove()
    return extent


def broken(page, text, **how):
    """The text in lines that fit on the page."""
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}".strip()
        if line and wide(page, longer, **how) > page.get_figwidth() - 2 * EDGE:
            yield line
            longer = word
        line = longer
    yield line


def heading(page, text, below, large, small):
    """What the plot says, and what it shows. Returns the inches that this takes."""
    down = EDGE
    for part, how in ((text, {"fontsize": large + 0.5, "weight": "bold"}),
                      (below, {"fontsize": small, "color": FAINT})):  # fmt: skip
        for line in broken(page, part, **how):
            down += how["fontsize"] / 48
            page.text(EDGE / page.get_figwidth(), 1 - down / page.get_figheight(), line, **how)
    return down


def draw_bar(axes, line, bar, label, inch, size):
    """A bar and its figure: at the end within it, or beyond it if the bar is short; never across the limit."""
    rate, limit, room = bar["rate"], bar["limit"], (wide(axes.figure, label, fontsize=size) + 2 * GAP) * inch
    axes.barh(line, rate, height=0.72, color=FAINT if bar["beside"] else BLUE)
    inside = rate > room and not rate - room < limit < min(rate, room)
    crossed = rate - room < limit < rate if inside else rate < limit < rate + room
    axes.text((limit if crossed else rate) + (-GAP if inside else GAP) * inch, line, label, fontsize=size,
              ha="right" if inside else "left", va="center_baseline", color=PAPER if inside else INK)  # fmt: skip
    axes.vlines(limit, line - 0.5, line + 0.5, INK, linewidth=1.4)
    beside(axes, -GAP, line, bar["name"], fontsize=size)


def draw_groups(page, groups, called, unit, top, large, small):
    """The bars below each other, and what each group and the limit is called."""
    several, bars = len(groups) > 1, sum(groups.values(), [])
    left = EDGE + 1.5 * GAP + max(wide(page, bar["name"], fontsize=large) for bar in bars)
    axes = axes_in(page, left, 0.1, top=top + (0.14 if several else 0.36), bottom=0.06)
    as_list(axes, len(bars) + several * len(groups)).set_xticks([])
    longest = 1.02 * max(max(bar["rate"], bar["limit"]) for bar in bars)
    axes.set_xlim(0, longest)
    inch = longest / (page.get_figwidth() - left - 0.1)
    line = 0
    for above, group in groups.items():
        if several:
            beside(axes, EDGE - left, line, above, ha="left", color=FAINT, fontsize=small)
            line += 1
        for line, bar in enumerate(group, line):
            draw_bar(axes, line, bar, written(bar["rate"], unit), inch, large)
        line += 1
    limit = bars[0]["limit"]
    fits = limit + wide(page, called, fontsize=small) * inch < longest
    axes.text(limit, 0.38 if several else -0.62, called, fontsize=small, va="bottom", ha="left" if fits else "right")


def rungs(chapter):
    """The plot of the chapter."""
    story = STORIES[chapter]
    reports = {above: [results_files.read(name) for name in names] for above, names in story.groups.items()}
    groups = {above: [bar for report in group for bar in bars_of(chapter, report)]
              for above, group in reports.items()}  # fmt: skip
    bars, first = sum(groups.values(), []), next(iter(reports.values()))[0]
    bound, unit = first["ceiling"]["name"], ceiling_of(first)[2].replace("GF", "TF")
    rates = {bar["name"]: bar["rate"] for bar in bars} | {bound: bars[0]["limit"]}
    claim = story.claim(rates, {bar["name"]: bar["ratio"] for bar in bars})

    limits = [bar["limit"] for bar in bars]
    ends = dict.fromkeys(written(limit, unit) for limit in (min(limits), max(limits)))
    called = f"{story.limit or bound.replace('fma', 'FMA') + ' ceiling'} {' … '.join(ends)} {unit}"
    shapes = {extents(report) for group in reports.values() for report in group}
    below = f"{first['device']}, {shapes.pop()}; {unit}" if len(shapes) == 1 else f"{first['device']}; {unit}"
    below += "; grey: for comparison" if any(bar["beside"] for bar in bars) else ""

    def draw(page):
        large, small = (9.5, 9) if is_narrow(page) else (12, 10.5)
        draw_groups(page, groups, called, unit, heading(page, claim, below, large, small), large, small)

    lines, spare = len(bars) + (len(groups) if len(groups) > 1 else 0), 0.22 if len(groups) > 1 else 0
    least, most = (choose(bars, key=lambda bar: bar["rate"]) for choose in (min, max))
    return Figure(
        f"{chapter}-{GPU}",
        claim,
        f"Bars from {written(least['rate'], unit)} ({least['name']}) to {written(most['rate'], unit)} ({most['name']}) "
        f"{unit}; {called.removesuffix(' ' + unit)}; {first['device']}.",
        {"groups": groups, "below": below, "called": called},
        0.95 - spare + 0.29 * lines,
        1.35 - spare + 0.23 * lines,
        draw,
        WIDE,
    )


def figures():
    return [rungs(chapter) for chapter in STORIES]
