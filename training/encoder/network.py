"""The network of USE-lite, read from its package, with PyTorch."""

import json
import math
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

ROOT = "module_apply_default/Encoder_en/KonaTransformer/"
HEADS = 4


def read_package(folder: Path) -> dict[str, torch.Tensor]:
    """All weights by their names in the graph."""
    model = json.loads((folder / "model.json").read_text())
    tensors: dict[str, torch.Tensor] = {}
    for group in model["weightsManifest"]:
        data = b"".join((folder / path).read_bytes() for path in group["paths"])
        at = 0
        for weight in group["weights"]:
            count = int(np.prod(weight["shape"])) if weight["shape"] else 1
            size = {"float32": 4, "int32": 4, "bool": 1}[weight["dtype"]]
            kind = {"float32": np.float32, "int32": np.int32, "bool": np.uint8}[weight["dtype"]]
            values = np.frombuffer(data, kind, count, at).reshape(weight["shape"])
            if weight["dtype"] == "float32":
                tensors[weight["name"]] = torch.from_numpy(values.copy())
            at += count * size
    return tensors


class Layer(nn.Module):
    def __init__(self, size: int, dropout: float) -> None:
        super().__init__()
        self.size = size
        self.norm = nn.LayerNorm(size, eps=1e-6)
        self.qkv = nn.Linear(size, 3 * size)
        self.out = nn.Linear(size, 512)
        self.residual = nn.Linear(size, 512) if size != 512 else None
        self.norm2 = nn.LayerNorm(512, eps=1e-6)
        self.up = nn.Linear(512, 1536)
        self.down = nn.Linear(1536, 512)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        batch, count, _ = x.shape
        q, k, v = (
            part.view(batch, count, HEADS, -1).transpose(1, 2)
            for part in self.qkv(self.norm(x)).chunk(3, dim=-1)
        )
        scores = q @ k.transpose(-1, -2) / math.sqrt(self.size / HEADS)
        scores = scores.masked_fill(~mask[:, None, None, :], -1e9)
        mixed = self.dropout(scores.softmax(-1)) @ v
        mixed = self.out(mixed.transpose(1, 2).reshape(batch, count, self.size))
        x = (x if self.residual is None else self.residual(x)) + self.dropout(mixed)
        return x + self.dropout(self.down(F.relu(self.up(self.norm2(x)))))


class Encoder(nn.Module):
    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        self.embeddings = nn.Embedding(8002, 256)
        self.layers = nn.ModuleList([Layer(256, dropout), Layer(512, dropout)])
        self.tanh = nn.Linear(512, 512)
        self.dropout = nn.Dropout(dropout)
        rate = torch.exp(torch.arange(128) * -(math.log(10_000) / 127))
        angle = torch.arange(128)[:, None] * rate[None, :]
        self.register_buffer("timing", torch.cat([angle.sin(), angle.cos()], dim=1))

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        x = self.dropout(2 * self.embeddings(ids)) + self.timing[: ids.shape[1]]
        for layer in self.layers:
            x = layer(x, mask)
        x = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        return F.normalize(torch.tanh(self.tanh(self.dropout(x))), dim=-1)


class Projected(nn.Module):
    """The encoder with its last layer."""

    def __init__(self, encoder: Encoder, projection: nn.Linear) -> None:
        super().__init__()
        self.encoder = encoder
        self.projection = projection

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return F.normalize(self.projection(self.encoder(ids, mask)), dim=-1)


def load_original(folder: Path, dropout: float = 0.0) -> Encoder:
    weights = read_package(folder)
    encoder = Encoder(dropout)
    own = encoder.state_dict()

    def put(name: str, value: torch.Tensor) -> None:
        assert own[name].shape == value.shape, (name, own[name].shape, value.shape)
        own[name].copy_(value)

    put("embeddings.weight", weights["module/Embeddings_en"])
    put("tanh.weight", weights["module/Encoder_en/hidden_layers/tanh_layer_0/weights"].T)
    put("tanh.bias", weights["module/Encoder_en/hidden_layers/tanh_layer_0/bias"])
    for i in (0, 1):
        at = f"{ROOT}Encode/Layer_{i}/TransformerLayer/"
        kernel = f"module/Encoder_en/KonaTransformer/Encode/Layer_{i}/TransformerLayer/MultiheadAttention/"
        stack = f"{ROOT}Encode/TransformerStack/Layer_{i}/TransformerLayer/FFN/"
        norm = "layer_prepostprocess/layer_norm/layer_norm_{}/ConcatPartitions/concat"
        for mine, theirs in (("norm", at), ("norm2", f"{at}FFN/")):
            put(f"layers.{i}.{mine}.weight", weights[theirs + norm.format("scale")])
            put(f"layers.{i}.{mine}.bias", weights[theirs + norm.format("bias")])
        for mine, theirs in (("qkv", "qkv_transform_single"), ("out", "output_transform_single")):
            put(f"layers.{i}.{mine}.weight", weights[f"{kernel}{theirs}/kernel/part_0"][0, 0].T)
            bias = f"{at}MultiheadAttention/{theirs}/bias/ConcatPartitions/concat"
            put(f"layers.{i}.{mine}.bias", weights[bias])
        for mine, theirs in (("up", "conv1"), ("down", "conv2")):
            put(f"layers.{i}.{mine}.weight", weights[f"{stack}{theirs}/Tensordot/Reshape_1"].T)
            bias = f"{at}FFN/{theirs}/bias/ConcatPartitions/concat"
            put(f"layers.{i}.{mine}.bias", weights[bias])
    dense = f"{ROOT}Encode/Layer_0/TransformerLayer/dense/"
    put("layers.0.residual.weight", weights[f"{dense}kernel/ConcatPartitions/concat"].T)
    put("layers.0.residual.bias", weights[f"{dense}bias/ConcatPartitions/concat"])
    timing = weights[f"{ROOT}Encode/TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1"]
    put("timing", torch.cat([(torch.arange(128)[:, None] * timing).sin(), (torch.arange(128)[:, None] * timing).cos()], 1))
    return encoder


def to_batch(all_ids: list[list[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    width = max(len(ids) for ids in all_ids)
    ids = torch.zeros(len(all_ids), width, dtype=torch.long)
    mask = torch.zeros(len(all_ids), width, dtype=torch.bool)
    for row, own in enumerate(all_ids):
        ids[row, : len(own)] = torch.tensor(own)
        mask[row, : len(own)] = True
    return ids, mask


@torch.no_grad()
def encode_all(encoder: nn.Module, all_ids: list[list[int]], size: int = 256) -> torch.Tensor:
    encoder.eval()
    order = sorted(range(len(all_ids)), key=lambda i: len(all_ids[i]))
    rows: dict[int, torch.Tensor] = {}
    for start in range(0, len(order), size):
        part = order[start : start + size]
        rows |= dict(zip(part, encoder(*to_batch([all_ids[i] for i in part]))))
    return torch.stack([rows[i] for i in range(len(all_ids))])
