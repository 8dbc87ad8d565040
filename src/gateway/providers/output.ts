/** Tokens of output, when neither caller nor budget say more: every chat model can write so many. */
const usualOutput = 4_096
const reasoningOutput = 16_384

export const defaultOutput = (model: string): number =>
  /^(o\d|gpt-[5-9]|deepseek-r|.*(thinking|reason))/.test(model) ? reasoningOutput : usualOutput
