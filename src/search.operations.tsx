import { z } from 'zod'
import type { Context } from '#lib/context.ts'
import { operation } from '#lib/operation.ts'
import { words } from '#lib/words.ts'
import { PaletteFound } from '#views/shell/palette.tsx'
import { Found } from '#lib/search.ts'
import { search } from './search.ts'

/** The search over everything that these contexts have. */
export const searchOf = (contexts: () => readonly Context[]) =>
  operation({
    route: 'GET /api/search',
    summary: 'Search pages, actions, people and content',
    permission: 'signed-in',
    personal: false,
    input: z.object({ q: words(100).trim().default('') }),
    output: z.object({ items: z.array(Found), nextCursor: z.null() }),
    run: async (call) => ({ items: await search(contexts(), call, call.input.q), nextCursor: null }),
    view: ({ items }, { input }) => <PaletteFound found={items} asked={input.q} />,
  })
