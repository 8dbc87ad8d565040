import { z } from 'zod'
import type { Actor } from './actor.ts'
import type { Call } from './call.ts'
import { Id } from './ids.ts'

/** A result in the command palette. */
export const Found = z.object({
  kind: z.enum(['page', 'act', 'brand', 'person', 'post']),
  /** The thing's id; null for pages and actions. */
  id: Id.nullable(),
  label: z.string(),
  detail: z.string().nullable(),
  /** Its URL in the browser app; null for an action that sends a request. */
  href: z.string().nullable(),
  /** The API request that an action sends. */
  sends: z.object({ route: z.string(), body: z.record(z.string(), z.string()) }).nullable(),
})
export type Found = z.output<typeof Found>

export type SearchCall = Call<unknown, Actor>

/** What a context adds to the search: only what the caller can see, and only where the context is open. */
export interface SearchSource {
  /** What can be done from anywhere, beside pages. */
  actions(call: SearchCall): Promise<Found[]>
  /** Things with these words in them, a few of each kind. */
  find(call: SearchCall, words: string): Promise<Found[]>
}

/** A result without an id and details. */
export const found = (kind: Found['kind'], label: string, href: string | null): Found => ({
  kind,
  id: null,
  label,
  detail: null,
  href,
  sends: null,
})

/** A result that sends a request when it is chosen. */
export const actionResult = (label: string, route: string, body: Record<string, string>): Found => ({
  ...found('act', label, null),
  sends: { route, body },
})

/** Whether every word asked for begins a word of the text, in any case and with or without accents. */
export function fits(asked: string, text: string): boolean {
  const words = plain(text).split(/[^\p{L}\p{N}]+/u)
  return plain(asked)
    .split(/\s+/)
    .every((start) => words.some((word) => word.startsWith(start)))
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
