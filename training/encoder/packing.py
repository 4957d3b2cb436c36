"""The format of packed weights: parts at multiples of 16 bytes, matrices as signed bytes."""

import json
from pathlib import Path

import numpy as np


class Pack:
    def __init__(self) -> None:
        self.parts: dict[str, dict[str, int]] = {}
        self.data = bytearray()

    def add(self, name: str, values: np.ndarray) -> None:
        self.data.extend(b"\0" * (-len(self.data) % 16))
        rows, columns = (values.shape[0], values.shape[1] if values.ndim > 1 else 1)
        self.parts[name] = {"at": len(self.data), "rows": rows, "columns": columns}
        self.data.extend(values.tobytes())

    def add_matrix(self, name: str, values: np.ndarray) -> None:
        """A scale for each row, so that its largest magnitude is 127."""
        scale = np.maximum(np.abs(values).max(axis=1), 1e-12) / 127
        self.add(name, np.rint(values / scale[:, None]).astype(np.int8))
        self.add(f"{name}.scale", scale.astype(np.float32))

    def write(self, folder: Path, name: str, manifest: dict[str, object]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.bin").write_bytes(bytes(self.data))
        (folder / f"{name}.json").write_text(json.dumps({**manifest, "parts": self.parts}, indent=2) + "\n")
        print(f"{len(self.data):,} bytes")
