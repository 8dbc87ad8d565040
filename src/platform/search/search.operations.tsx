import { z } from 'zod'
import type { Context } from '#lib/context.ts'
import { operation } from '#lib/operation.ts'
import { resultSchemaOf, type NamedKind } from '#lib/search.ts'
import { plainText } from '#lib/text.ts'
import { PaletteFound } from '#views/shell/palette.tsx'
import { iconsOf, search } from './search.ts'

export const searchOf = (kinds: readonly NamedKind[], contexts: () => readonly Context[]) =>
  operation({
    route: 'GET /api/search',
    summary: 'Search pages, actions, people and content',
    permission: 'signed-in',
    personal: false,
    input: z.object({ q: plainText(100).trim().default('') }),
    output: z.object({ items: z.array(resultSchemaOf(kinds)), nextCursor: z.null() }),
    run: async (call) => ({ items: await search(contexts(), kinds, call, call.input.q), nextCursor: null }),
    view: ({ items }, { input }) => (
      <PaletteFound found={items} query={input.q} kinds={kinds} icons={iconsOf(contexts())} />
    ),
  })
