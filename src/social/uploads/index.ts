import type { Module } from '#lib/module.ts'
import { finishUpload } from './finish.ts'
import * as uploads from './uploads.operations.ts'

export const uploadsModule: Module = {
  operations: [uploads],
  jobs: [finishUpload],
}
