import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import type { Caller, World } from '../support/world.ts'

/** The official clients, unmodified, against a world in this process. */
export const openAiOf = (world: Pick<World, 'handle'>, caller: Caller, headers: Record<string, string> = {}): OpenAI =>
  new OpenAI({
    apiKey: tokenOf(caller),
    baseURL: 'http://localhost/api/ai',
    defaultHeaders: headers,
    maxRetries: 0,
    fetch: (url, init) => world.handle(new Request(url, init)),
  })

export const anthropicOf = (world: Pick<World, 'handle'>, caller: Caller): Anthropic =>
  new Anthropic({
    apiKey: tokenOf(caller),
    baseURL: 'http://localhost/api/ai',
    maxRetries: 0,
    fetch: (url, init) => world.handle(new Request(url, init)),
  })

const tokenOf = ({ credential }: Caller): string => credential['authorization']?.replace('Bearer ', '') ?? ''

/** The usage rows of an organization, oldest first. */
export interface UsageRecord {
  provider: string
  model: string
  quantity: number
  costNanoUsd: number
  certainty: string
  userId: string | null
  applicationId: string | null
}
