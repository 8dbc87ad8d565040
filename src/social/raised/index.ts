import type { Module } from '#lib/module.ts'
import { updateActions } from './update-actions.ts'

export const raisedModule: Module = { jobs: [updateActions] }
