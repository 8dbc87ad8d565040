import type { Config } from '#config'
import type { Context } from '#lib/context.ts'
import { cookieName } from '#lib/cookies.ts'
import { openApiSteps, type OpenApiDocument } from '#lib/openapi.ts'
import { version } from '../package.json'

interface Description {
  steps: Generator<void, OpenApiDocument>
  document?: OpenApiDocument
}

const descriptions = new WeakMap<readonly Context[], Description>()

/** The API description (`/openapi.json`) of a server with this configuration. Built once per list of contexts. */
export function describeApi(contexts: readonly Context[], config: Config): OpenApiDocument {
  const description = descriptionOf(contexts, config)
  for (;;) {
    const document = description.document ?? advance(contexts, description)
    if (document) return document
  }
}

/** Milliseconds until the description is built unrequested, of one slice of that work, and between slices. */
const idle = { delay: 5_000, slice: 5, pause: 20 }

/** Builds the description in slices, so that the first request for it doesn't delay others. Returns a function that stops it. */
export function prepareDescription(contexts: readonly Context[], config: Config): () => void {
  const description = descriptionOf(contexts, config)
  const work = () => {
    const until = performance.now() + idle.slice
    try {
      while (!description.document && performance.now() < until) advance(contexts, description)
    } catch {
      return // The next request reports the error.
    }
    if (!description.document) timer = setTimeout(work, idle.pause).unref()
  }
  let timer = setTimeout(work, idle.delay).unref()
  return () => clearTimeout(timer)
}

function descriptionOf(contexts: readonly Context[], { PUBLIC_URL }: Config): Description {
  const known = descriptions.get(contexts)
  if (known) return known
  const steps = openApiSteps(contexts, {
    version,
    url: PUBLIC_URL ?? '/',
    sessionCookie: cookieName('session', PUBLIC_URL?.startsWith('https:') ?? false),
  })
  const description = { steps }
  descriptions.set(contexts, description)
  return description
}

/** @throws what the step failed with; a generator that failed is over, so the next reader begins another one */
function advance(contexts: readonly Context[], description: Description): OpenApiDocument | undefined {
  try {
    const { done, value } = description.steps.next()
    if (done) description.document = value
    return description.document
  } catch (error) {
    descriptions.delete(contexts)
    throw error
  }
}
