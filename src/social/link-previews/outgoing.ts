import { eq } from 'drizzle-orm'
import type { Config } from '#config'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import type { Image } from '#lib/images/prepared.ts'
import type { Outbound } from '#lib/outbound.ts'
import type { LinkPreview } from '../contract.ts'
import type { OutgoingLink } from '../networks/network.ts'
import { pause } from '../publishing/pause.ts'
import { brands } from '../schema.ts'
import { fetchImage, type FetchedImage } from './fetch-image.ts'
import { publishesImages } from './publishes-images.ts'

interface Dependencies {
  db: Database
  config: Pick<Config, 'IMAGE_WAIT_MS'>
  outbound: Outbound
  stopping: AbortSignal
  /** Leaves the slot of the post’s network to others: the image is on another site. */
  withoutSlot<Result>(work: () => Promise<Result>): Promise<Result>
  /** Called once when the card is sent without its image. */
  onMissing(reason: string): void
}

interface Fetching extends Dependencies {
  organizationId: string
  url: string
}

const maxRetries = 3
const retryMs = 2_000
/** For all tries together. */
const maxLoadMs = 10_000

/** The card of a post, whose image is downloaded once for all attempts to send it. */
export function createOutgoingLink(
  dependencies: Dependencies,
  { brandId, linkPreview }: { brandId: string; linkPreview: LinkPreview | undefined },
): OutgoingLink | null {
  if (!linkPreview) return null
  const { imageUrl: url } = linkPreview
  let image: Promise<Image | null> | undefined
  let isMissing = false
  const onMissing = (reason: string) => {
    if (!isMissing) dependencies.onMissing(reason)
    isMissing = true
  }
  const findBrand = async () => {
    const brand = await readBrand(dependencies.db, brandId)
    if (!brand || publishesImages(brand.policy)) return brand
    onMissing('The brand requires approvals, and the image can change after them.')
    return null
  }
  const load = (organizationId: string, from: string) =>
    dependencies.withoutSlot(() => loadImage({ ...dependencies, onMissing, organizationId, url: from }))
  return {
    ...linkPreview,
    allowsImage: async () => (await findBrand()) !== null,
    loadImage: async () => {
      const brand = url === null ? null : await findBrand()
      return brand === null || url === null ? null : (image ??= load(brand.organizationId, url))
    },
  }
}

async function readBrand(db: Database, brandId: string) {
  const [brand] = await db
    .select({ organizationId: brands.organizationId, policy: brands.reviewPolicy })
    .from(brands)
    .where(eq(brands.id, brandId))
  return brand ?? null
}

/** As a JPEG below 1 MB, which all networks take. @throws `stopping.reason` when the server stops */
async function loadImage(fetching: Fetching): Promise<Image | null> {
  const { stopping, onMissing } = fetching
  const end = performance.now() + maxLoadMs
  for (let retries = 0; ; retries++) {
    const fetched = await tryFetching(fetching, end - performance.now())
    if (fetched.kind === 'image') return fetched.image.web ?? fetched.image.original
    const isLast = retries === maxRetries || performance.now() + retryMs >= end
    if (fetched.kind !== 'busy' || isLast) {
      onMissing(fetched.reason)
      return null
    }
    await pause(retryMs, stopping)
    stopping.throwIfAborted()
  }
}

async function tryFetching(
  { config, outbound, stopping: signal, organizationId, url }: Fetching,
  timeoutMs: number,
): Promise<FetchedImage> {
  const waitMs = Math.min(config.IMAGE_WAIT_MS, timeoutMs)
  try {
    return await fetchImage({ outbound, signal, organizationId, waitMs, timeoutMs }, url)
  } catch (error) {
    signal.throwIfAborted()
    const isBusy = error instanceof Problem && (error.status === 429 || error.status === 503)
    return isBusy
      ? { kind: 'busy', reason: 'Too many images were waiting to be processed.' }
      : { kind: 'none', reason: 'It couldn’t be processed.' }
  }
}
