import type { Module } from '#lib/module.ts'
import * as composerPages from './composer.pages.tsx'
import * as editors from './editors/editors.operations.tsx'
import * as firstComments from './first-comments.operations.tsx'
import * as postInput from './input.ts'
import * as postChanges from './post-changes.operations.tsx'
import * as post from './post.operations.tsx'
import * as postPages from './post.pages.tsx'
import * as posts from './posts.operations.tsx'
import * as postsPages from './posts.pages.tsx'
import * as unsavedInput from './unsaved/input.ts'
import * as unsavedPosts from './unsaved/unsaved-posts.operations.tsx'

export const postsModule: Module = {
  operations: [posts, post, postChanges, firstComments, unsavedPosts, editors],
  pages: [postsPages, postPages, composerPages],
  contracts: [postInput, unsavedInput],
}
