"""Writes the text model's tokenizer as the demo model's scripts take it, in JSON."""

import argparse
import json
from pathlib import Path

from text_model import read_gguf


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--text", type=Path, required=True, help="the text model: models/hearth-demo.gguf")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    metadata, _ = read_gguf(options.text)
    merges = [merge.split(" ") for merge in metadata["tokenizer.ggml.merges"]]
    options.out.write_text(json.dumps({"tokens": metadata["tokenizer.ggml.tokens"], "merges": merges}))


if __name__ == "__main__":
    main()
