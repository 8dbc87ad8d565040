import { diskStorage } from './storage/disk.ts'
import type { Storage } from './storage/interface.ts'
import { s3Storage } from './storage/s3.ts'
import { join } from 'node:path'

export type { Storage } from './storage/interface.ts'

declare module './call.ts' {
  interface Provided {
    readonly storage: Storage
  }
}

interface Settings {
  DATA_DIR: string
  S3_ENDPOINT?: string
  S3_BUCKET?: string
  S3_ACCESS_KEY_ID?: string
  S3_SECRET_ACCESS_KEY?: string
  S3_REGION: string
}

/** Files in an S3-compatible store when one is named, else in a folder of `DATA_DIR` (PLT-36). */
export function openStorage(settings: Settings): Storage {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region } = settings
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings
  if (!bucket) return diskStorage(join(settings.DATA_DIR, 'files'))
  return s3Storage({ endpoint, bucket, region, accessKeyId, secretAccessKey })
}
