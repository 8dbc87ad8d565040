const names: Readonly<Record<string, string | undefined>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google AI',
  mistral: 'Mistral',
  groq: 'Groq',
  deepseek: 'DeepSeek',
  openrouter: 'OpenRouter',
  together: 'Together',
  fireworks: 'Fireworks',
  'x-ai': 'xAI',
  practice: 'Practice models',
}

/** As the provider writes its name, where that is known. */
export const providerName = (provider: string): string => names[provider] ?? provider
