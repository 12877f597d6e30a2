"""Chapter 28's attention in turns with PyTorch's, whose fastest is cuDNN: times, and errors against FP64.

    python3 attention_turns.py attention_turns.so --json FILE [--rounds N]

attention_turns.cu says how to build the library. Needs PyTorch and an H100 or H200. All contenders of a shape are launched
one after the other, in each round again, so that none has the better clocks. emulator/tests/json_rows.py brings the file
into the form that is kept. Normal random numbers; 16,384 tokens in all,
2,048 numbers wide.
"""

import argparse
import ctypes
import json
import statistics
import sys

TOKENS, WIDTH = 16384, 2048
SHAPES = [(length, size, causal) for size in (128, 64) for length in (1024, 4096, 16384) for causal in (False, True)]


def operations(length, size, causal):
    """Multiplications and additions, as chapter 28 counts them."""
    pairs = length * (length + 1) / 2 if causal else length * length
    return 4.0 * (TOKENS // length) * (WIDTH // size) * size * pairs


def error(torch, inputs, output, causal, rows=32):
    """The root mean square of the errors of some rows of the last head, relative to that of these rows."""
    q, k, v = (part[-1, -1].double() for part in inputs)
    length, size = q.shape
    chosen = torch.linspace(0, length - 1, rows, device=q.device).long()
    scores = q[chosen] @ k.T / size**0.5
    if causal:
        scores.masked_fill_(torch.arange(length, device=q.device)[None, :] > chosen[:, None], float("-inf"))
    right = torch.softmax(scores, dim=1) @ v
    return ((output[-1, -1][chosen].double() - right).square().mean() / right.square().mean()).sqrt().item()


def contenders(torch, library, size, shape, inputs, results, causal):
    """Name and launch function of each; ours write to `results`, PyTorch's return theirs."""
    from torch.nn.attention import SDPBackend, sdpa_kernel

    def by_torch(backend):
        def launch():
            with sdpa_kernel(backend):
                return torch.nn.functional.scaled_dot_product_attention(*inputs, is_causal=causal)

        return launch

    def ours(candidate):
        def launch():
            batches, heads, length, _ = shape
            pointers = [ctypes.c_void_p(part.data_ptr()) for part in (*inputs, results)]
            library.attention_launch(size, candidate, *pointers, batches, heads, length, int(causal))
            return results

        return launch

    yield "cuDNN", by_torch(SDPBackend.CUDNN_ATTENTION)
    yield "flash", by_torch(SDPBackend.FLASH_ATTENTION)
    yield "ours", ours(-1)
    candidate = 0
    while name := library.attention_name(size, candidate).decode():
        yield name, ours(candidate)
        candidate += 1


def measured(torch, library, length, size, causal, rounds):
    shape = (TOKENS // length, WIDTH // size, length, size)
    generator = torch.Generator("cuda").manual_seed(28)
    inputs = [torch.randn(shape, generator=generator, device="cuda", dtype=torch.bfloat16) for _ in range(3)]
    results = torch.empty_like(inputs[0])
    rows = []
    for name, launch in contenders(torch, library, size, shape, inputs, results, causal):
        results.fill_(float("nan"))
        off = error(torch, inputs, launch(), causal)
        rows.append({"kernel": name, "launch": launch, "error": off, "milliseconds": []})
    for turn in range(-2, rounds):
        for row in rows:
            start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            torch.cuda._sleep(2_000_000)  # the GPU is busy while the host prepares the launch
            start.record()
            row["launch"]()
            stop.record()
            if turn >= 0:
                row["milliseconds"].append((start, stop))
        torch.cuda.synchronize()
    for row in rows:
        del row["launch"]
        row["median_ms"] = statistics.median(start.elapsed_time(stop) for start, stop in row.pop("milliseconds"))
        row["tflop_per_s"] = operations(length, size, causal) / row["median_ms"] / 1e9
        row["verified"] = row["error"] < 2**-6
    return [{"length": length, "head_size": size, "causal": causal, **row} for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("library")
    parser.add_argument("--json", required=True)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    import torch

    library = ctypes.CDLL(options.library)
    library.attention_name.restype = ctypes.c_char_p
    results = []
    for length, size, causal in SHAPES:
        rows = measured(torch, library, length, size, causal, options.rounds)
        results += rows
        print(length, size, "causal" if causal else "", flush=True)
        for row in rows:
            print(f"  {row['kernel']:24} {row['median_ms']:9.4f} ms {row['tflop_per_s']:7.1f} TFLOP/s  error {row['error']:.2e}",
                  flush=True)  # fmt: skip
        made = {"gpu": torch.cuda.get_device_name(), "torch": torch.__version__, "rounds": options.rounds,
                "cudnn": torch.backends.cudnn.version(), "results": results}  # fmt: skip
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(made, file)
    return 0 if all(row["verified"] for row in results) else 1


if __name__ == "__main__":
    sys.exit(main())
