import type { Module } from '#lib/module.ts'
import { videoUploads } from '../schema.ts'
import * as changes from './changes.operations.ts'
import * as channels from './channels.operations.ts'
import * as comments from './comments.operations.ts'
import * as quota from './quota.operations.tsx'
import * as uploads from './uploads.operations.ts'
import * as videos from './videos.operations.ts'

export const videoModule: Module = {
  operations: [channels, videos, changes, comments, uploads, quota],
  sealed: [videoUploads.sealedSession],
}
