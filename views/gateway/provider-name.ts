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
  smtp: 'SMTP server',
  resend: 'Resend',
  cloudflare_email: 'Cloudflare Email',
  stripe: 'Stripe',
  youtube: 'YouTube',
  x: 'X',
  linkedin: 'LinkedIn',
  'linkedin-page': 'LinkedIn Page',
  facebook: 'Facebook',
  instagram: 'Instagram',
  threads: 'Threads',
  tiktok: 'TikTok',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
  discord: 'Discord',
  sandbox: 'Sandbox',
}

/** As the provider writes its name, where that is known. */
export const providerName = (provider: string): string =>
  (Object.hasOwn(names, provider) ? names[provider] : undefined) ?? provider
