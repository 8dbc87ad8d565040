import type { Module } from '#lib/module.ts'
import * as linkPreviews from './link-previews.operations.ts'

export const linkPreviewsModule: Module = { operations: [linkPreviews] }
