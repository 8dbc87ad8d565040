import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import type { OpenApiDocument } from '#lib/openapi.ts'
import { about } from '#lib/openapi/about.ts'
import { tagDocOf, summariesOf } from '#lib/openapi/reference.ts'
import { page } from '#lib/page.ts'
import { titleOfName } from '#lib/text.ts'
import { Chapter } from '#views/platform/reference/chapter.tsx'
import { Overview } from '#views/platform/reference/overview.tsx'

const place = { permission: 'public', frame: 'plain', screen: 'reference' } as const

/** The pages of the API reference: a list of all operations, and those of each tag in full (PLT-15). */
export function referencePages(describe: () => Promise<OpenApiDocument>) {
  const overview = page({
    ...place,
    path: '/openapi',
    title: 'API reference',
    query: z.object({}),
    load: async ({ request }) => {
      const document = await describe()
      const { info, servers, 'x-tagGroups': groups } = document
      return {
        about,
        groups,
        lines: summariesOf(document),
        version: info.version,
        server: new URL(servers[0]?.url ?? '/', request.url).origin,
      }
    },
    view: (shown) => <Overview {...shown} />,
  })

  const chapter = page({
    ...place,
    path: '/openapi/:tag',
    title: ({ tag }: { tag: string }) => `${titleOfName(tag)} · API reference`,
    query: z.object({ tag: z.string().max(100) }),
    load: async ({ input }) => {
      const document = await describe()
      const found = tagDocOf(document, input.tag)
      if (!found) throw notFound('part of the API')
      return { ...found, groups: document['x-tagGroups'] }
    },
    view: (shown) => <Chapter {...shown} />,
  })

  return [overview, chapter]
}
