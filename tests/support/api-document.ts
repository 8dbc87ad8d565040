import { join } from 'node:path'
import type { Config } from '#config'
import type { OpenApiDocument } from '#lib/openapi.ts'
import { describeApi } from '../../src/platform/reference/describe-api.ts'
import { chosenContexts } from '../../src/contexts.ts'
import { runFolder } from './run-folder.ts'

/**
 * The responses of a server, as `/openapi.json` describes them. Building it takes half a second, so test files with the
 * same configuration share one.
 */
export async function apiDocument(config: Config): Promise<OpenApiDocument> {
  const file = Bun.file(join(await runFolder(), `openapi-${Bun.hash(shapeOf(config)).toString(36)}.json`))
  if (await file.exists()) return file.json()
  const document = describeApi(chosenContexts(config), config)
  await Bun.write(file, JSON.stringify(document))
  return document
}

/** The settings on which the document depends. */
const shapeOf = ({ PUBLIC_URL, SERVICES, ATRIUM_ENV, SMTP_URL }: Config): string =>
  JSON.stringify([PUBLIC_URL, SERVICES, ATRIUM_ENV, SMTP_URL])
