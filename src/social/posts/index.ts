import type { Module } from '#lib/module.ts'
import * as composerPages from './composer.pages.tsx'
import * as postInput from './input.ts'
import * as postChanges from './post-changes.operations.tsx'
import * as postPages from './post.pages.tsx'
import * as posts from './posts.operations.tsx'
import * as postsPages from './posts.pages.tsx'

export const postsModule: Module = {
  operations: [posts, postChanges],
  pages: [postsPages, postPages, composerPages],
  contracts: [postInput],
}
