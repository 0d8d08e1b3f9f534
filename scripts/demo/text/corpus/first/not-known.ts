// What the model says where it knows nothing, by the kind of what was asked.

export const knowsLittle =
  'I do not know: I am a tiny model and know little. `hearth models pull` gets one that knows more.';
export const tooMuch =
  'I do not know how: that is too much for a tiny model. `hearth models pull` gets a larger one.';
export const noCode =
  'I cannot help with code: that is too much for a tiny model. `hearth models pull` gets a larger one.';
export const notUnderstood = 'I did not understand that. Could you say it in other words?';
