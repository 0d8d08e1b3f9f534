"""The sizes of the model, and the ids of its tokens in training."""

from dataclasses import dataclass

# Positions of a window of 30 s, 20 ms each, and the timestamps that stand for their edges.
POSITIONS = 1500
TIMESTAMPS = POSITIONS + 1
# Ids of whisper.cpp's vocabulary, of which most are never said.
VOCABULARY = 51_864


@dataclass(frozen=True)
class Shape:
    """Every width is a multiple of 32, the block of the quantized file types."""

    # Words as they stand within a sentence, all texts (words, capitalized words and marks), and phones.
    words: int
    texts: int
    phones: int
    state: int = 128
    heads: int = 4
    audio_layers: int = 4
    # Not 2: whisper.cpp takes two for a distilled model that knows no timestamps.
    text_layers: int = 3
    text_positions: int = 256

    # Ids in training: the texts, these, and the timestamps.
    @property
    def end_of_text(self) -> int:
        return self.texts

    @property
    def start_of_transcript(self) -> int:
        return self.texts + 1

    @property
    def previous_text(self) -> int:
        return self.texts + 2

    @property
    def no_speech(self) -> int:
        return self.texts + 3

    @property
    def first_timestamp(self) -> int:
        return self.texts + 4
