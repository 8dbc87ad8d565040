import { z } from 'zod'
import type { Actor, Permission } from './actor.ts'
import type { Call } from './call.ts'
import type { Icons } from './icon.ts'
import { Id } from './ids.ts'
import { StartupError } from './startup-error.ts'

export interface SearchKind {
  title: string
  icon: keyof Icons
  avatar?: 'round' | 'square'
}

export interface NamedKind extends SearchKind {
  name: string
}

const ResultFields = z.object({
  id: Id.nullable().describe('The object’s ID; null for pages and actions.'),
  label: z.string(),
  detail: z.string().nullable(),
  href: z.string().nullable().describe('Its URL in the browser app; null for an action that sends a request.'),
  sends: z
    .object({ route: z.string(), body: z.record(z.string(), z.string()) })
    .nullable()
    .describe('The API request that an action sends.'),
})

export const resultSchemaOf = (kinds: readonly NamedKind[]) =>
  z.object({ kind: z.enum(kinds.map(({ name }) => name)), ...ResultFields.shape })

export interface SearchResult<Kind extends string = string> extends z.output<typeof ResultFields> {
  kind: Kind
}

export type SearchCall = Call<unknown, Actor>

export interface SearchAction {
  label: string
  href: string
  icon: keyof Icons
  permission: Permission
}

/** An action that sends a request, and other words that it is found by. */
export interface SearchCommand {
  label: string
  detail: string | null
  route: string
  body: Record<string, string>
  keywords: string
}

export interface SearchCommands {
  /** By route. */
  icons: Readonly<Record<string, keyof Icons>>
  /** Those that the words could mean. They are matched afterwards. */
  list(call: SearchCall, words: string): Promise<SearchCommand[]>
}

export interface SearchSource {
  /** Kinds of its results by their name in the API. The palette lists kinds in the order of contexts, and then in this order. */
  kinds: Readonly<Record<string, SearchKind>>
  actions?: readonly SearchAction[]
  commands?: SearchCommands
  find(call: SearchCall, words: string): Promise<SearchResult[]>
}

export const searchSource = <const Kind extends Lowercase<string>>(source: {
  kinds: Readonly<Record<Kind, SearchKind>>
  actions?: readonly SearchAction[]
  commands?: SearchCommands
  find(call: SearchCall, words: string): Promise<SearchResult<NoInfer<Kind>>[]>
}): SearchSource => source

interface Searchable {
  slug: string
  search?: SearchSource
}

/** Those of no context first. @throws {StartupError} when a kind is declared twice */
export function searchKinds(common: readonly NamedKind[], contexts: readonly Searchable[]): readonly NamedKind[] {
  const kinds = new Map(common.map((kind) => [kind.name, { by: 'Atrium', kind }]))
  for (const { slug, search } of contexts)
    for (const [name, kind] of Object.entries(search?.kinds ?? {})) {
      const known = kinds.get(name)
      if (known)
        throw new StartupError(`Two services declare the search result kind "${name}": ${known.by}, and ${slug}.`)
      kinds.set(name, { by: slug, kind: { ...kind, name } })
    }
  return [...kinds.values()].map(({ kind }) => kind)
}

export const searchResult = <Kind extends string>(
  kind: Kind,
  label: string,
  href: string | null,
): SearchResult<Kind> => ({
  kind,
  id: null,
  label,
  detail: null,
  href,
  sends: null,
})

export function matchesQuery(query: string, text: string): boolean {
  const words = plain(text).split(/[^\p{L}\p{N}]+/u)
  return plain(query)
    .split(/\s+/)
    .every((start) => words.some((word) => word.startsWith(start)))
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
