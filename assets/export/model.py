"""The Transformer of "Attention Is All You Need" in plain torch.nn, as Glassformer computes it.

Weights and values have the names that the program's views show: "decoder.layers.0.self_attn.in_proj_weight", query,
scores, context, memory. B sentences of L words; d = d_model, H heads of k = d / H columns. `c` holds config.json:
d_model, heads, d_ff, encoder_layers, decoder_layers, source_vocab, target_vocab, max_length, pad_id, dropout,
attention_dropout (-1: as dropout), layer_norm_eps, final_norm, embedding_norm, attention_scale, attention_bias,
output_bias, scale_embeddings; norm post, pre; norm_kind layer, rms; sharing none, output, all (of tables); positions
sinusoidal, learned, rotary, alibi, none; position_order interleaved, halves; position_divisor d, d-2; activation relu,
gelu, swish, gelu_sigmoid; feed_forward plain, swiglu; attention_activation softmax, relu. Text and search, in load.py,
also have unk_id, bos_id, eos_id, start_id, source_bos, source_eos, forbidden_ids, length_penalty.
"""
import math
import torch
import torch.nn.functional as F
from torch import nn

ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "swish": F.silu, "gelu_sigmoid": lambda x: x * torch.sigmoid(1.702 * x)}

def angles(length, pairs, divisor):  # (length, pairs): position / 10000^(2i / divisor)
    return torch.arange(length).double()[:, None] / 10000 ** (2 * torch.arange(pairs).double() / divisor)

def sinusoids(length, c):  # (length, d), added to the embeddings (paper, section 3.5)
    angle = angles(length, (c.d_model + 1) // 2, c.d_model if c.position_divisor == "d" else max(1, c.d_model - 2))
    waves = angle.sin(), angle.cos()
    table = torch.cat(waves, 1) if c.position_order == "halves" else torch.stack(waves, 2).flatten(1)
    return table[:, :c.d_model]

def rotated(x):  # (B, H, L, k): columns 2i and 2i + 1 turn with the position (RoFormer, Su et al. 2021)
    angle = angles(x.shape[2], x.shape[3] // 2, x.shape[3])
    cos, sin, a, b = angle.cos().to(x), angle.sin().to(x), x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)

def distance_bias(heads, length):  # (H, L, L): a head's slope times the distance (ALiBi, Press et al. 2022)
    power, head, place = 1 << (heads.bit_length() - 1), torch.arange(heads), torch.arange(length)
    slope = 2 ** (-8 * torch.where(head < power, head + 1.0, head - power + 0.5) / power)
    return -slope[:, None, None] * (place[:, None] - place).abs()

class Norm(nn.LayerNorm):  # or an RMSNorm: no mean is taken off, and there is no bias (Zhang and Sennrich 2019)
    def __init__(self, c):
        super().__init__(c.d_model, c.layer_norm_eps)
        self.bias = self.bias if c.norm_kind == "layer" else None

    def forward(self, x):
        rms = torch.sqrt(x.square().mean(-1, keepdim=True) + self.eps)
        return x / rms * self.weight if self.bias is None else super().forward(x)

class Attention(nn.Module):  # paper, section 3.2
    def __init__(self, c, positions="none"):  # that of the decoder over the source has none
        super().__init__()
        self.c, self.positions = c, positions
        self.in_proj_weight = nn.Parameter(torch.randn(3 * c.d_model, c.d_model) / c.d_model**0.5)  # W_Q, W_K, W_V
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * c.d_model)) if c.attention_bias else None
        self.out_proj = nn.Linear(c.d_model, c.d_model, bias=c.attention_bias)  # W_O
        self.dropout = nn.Dropout(c.dropout if c.attention_dropout < 0 else c.attention_dropout)

    def forward(self, x, y, hidden):  # x (B, L, d) reads y; hidden is True where it must not: (B, 1, L or 1, L of y)
        c, parts = self.c, self.in_proj_weight.chunk(3)
        biases = (None,) * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        query, key, value = (F.linear(rows, part, bias).unflatten(2, (c.heads, -1)).transpose(1, 2)  # (B, H, L, k)
                             for rows, part, bias in zip((x, y, y), parts, biases))
        if self.positions == "rotary":
            query, key = rotated(query), rotated(key)
        scores = (query @ key.transpose(2, 3)).to(x)  # autocast halves products, not what goes into softmax
        scores = scores / (math.sqrt(query.shape[3]) if c.attention_scale else 1)
        if self.positions == "alibi":
            scores = scores + distance_bias(c.heads, scores.shape[3]).to(scores)
        if c.attention_activation == "softmax":  # 0 where all is hidden, not NaN
            weights = scores.masked_fill(hidden, -math.inf).softmax(-1).masked_fill(hidden, 0)
        else:
            weights = F.relu(scores).masked_fill(hidden, 0) / (~hidden).sum(-1, keepdim=True).clamp(min=1)
        return self.out_proj((self.dropout(weights) @ value).transpose(1, 2).flatten(2))  # heads side by side: (B, L, d)

class EncoderLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c, self.dropout, plain = c, nn.Dropout(c.dropout), c.feed_forward == "plain"
        self.self_attn = Attention(c, c.positions)
        self.linear1, self.linear2 = nn.Linear(c.d_model, c.d_ff, bias=plain), nn.Linear(c.d_ff, c.d_model, bias=plain)
        self.linear_gate = None if plain else nn.Linear(c.d_model, c.d_ff, bias=False)  # SwiGLU (Shazeer 2020)
        self.norm1, self.norm2 = Norm(c), Norm(c)

    def add(self, x, norm, sublayer):  # the residual sum and its norm
        if self.c.norm == "pre":
            return x + self.dropout(sublayer(norm(x)))
        return norm(x + self.dropout(sublayer(x)))

    def feed_forward(self, x):
        value = self.linear1(x)
        hidden = F.silu(self.linear_gate(x)) * value if self.linear_gate else ACTIVATIONS[self.c.activation](value)
        return self.linear2(self.dropout(hidden))

    def forward(self, x, padding):
        x = self.add(x, self.norm1, lambda x: self.self_attn(x, x, padding))
        return self.add(x, self.norm2, self.feed_forward)

class DecoderLayer(EncoderLayer):
    def __init__(self, c):
        super().__init__(c)
        self.multihead_attn, self.norm3 = Attention(c), Norm(c)

    def forward(self, x, hidden, memory, padding):
        x = self.add(x, self.norm1, lambda x: self.self_attn(x, x, hidden))
        x = self.add(x, self.norm2, lambda x: self.multihead_attn(x, memory, padding))
        return self.add(x, self.norm3, self.feed_forward)

class Transformer(nn.Module):  # paper, section 3.1
    def __init__(self, c):
        super().__init__()
        self.c, self.dropout, d = c, nn.Dropout(c.dropout), c.d_model
        self.source_embedding = nn.Embedding(c.source_vocab, d) if c.sharing != "all" else None
        self.target_embedding = nn.Embedding(c.target_vocab, d)
        if c.positions == "learned":
            self.source_positions, self.target_positions = (nn.Embedding(c.max_length, d) for _ in range(2))
        if c.embedding_norm:
            self.source_embedding_norm, self.target_embedding_norm = Norm(c), Norm(c)
        self.encoder = nn.ModuleDict({"layers": nn.ModuleList(EncoderLayer(c) for _ in range(c.encoder_layers))})
        self.decoder = nn.ModuleDict({"layers": nn.ModuleList(DecoderLayer(c) for _ in range(c.decoder_layers))})
        self.encoder.norm, self.decoder.norm = (Norm(c) if c.final_norm else nn.Identity() for _ in range(2))
        self.output_projection = nn.Linear(d, c.target_vocab, bias=c.output_bias)
        if c.sharing != "none":
            self.output_projection.weight = None  # target_embedding.weight serves: no matrix is registered twice

    def embed(self, side, ids):  # (B, L) to (B, L, d)
        c, table = self.c, self.target_embedding if self.c.sharing == "all" else getattr(self, side + "_embedding")
        x = table(ids) * (math.sqrt(c.d_model) if c.scale_embeddings else 1)
        if c.positions == "learned":
            x = x + getattr(self, side + "_positions").weight[:ids.shape[1]]
        if c.positions == "sinusoidal":
            x = x + sinusoids(ids.shape[1], c).to(x)
        return self.dropout(getattr(self, side + "_embedding_norm")(x) if c.embedding_norm else x)

    def encode(self, source):  # (B, S) to the memory (B, S, d), and where that is padding
        x, padding = self.embed("source", source), (source == self.c.pad_id)[:, None, None]
        for layer in self.encoder.layers:
            x = layer(x, padding)
        return self.encoder.norm(x), padding

    def decode(self, target_in, memory, padding, target_padding=False):  # (B, T) to logits (B, T, V_t)
        future = torch.ones(2 * target_in.shape[1:], dtype=torch.bool, device=memory.device).triu(1)
        x = self.embed("target", target_in)
        for layer in self.decoder.layers:
            x = layer(x, future | target_padding, memory, padding)
        table = self.output_projection if self.c.sharing == "none" else self.target_embedding
        return F.linear(self.decoder.norm(x), table.weight, self.output_projection.bias)

    def forward(self, source, target_in):
        target_padding = (target_in == self.c.pad_id)[:, None, None]
        target_padding[..., 0] = False  # what the decoder reads first is none, whatever its id
        return self.decode(target_in, *self.encode(source), target_padding)
