import { Completion } from './completion.js'

/** @typedef {import('../elements/post-composer.js').PostComposer} PostComposer */
/** @typedef {{ posts: number, providers: string[] }} Suggestion */

/** Hashtags and mentions of the brand, in the texts of the composer. @param {PostComposer} composer @param {HTMLTextAreaElement} field */
export function completeTags(composer, field) {
  /** @param {string} provider */
  const nameOf = (provider) =>
    composer.inputs('account').find(({ dataset }) => dataset.provider === provider)?.dataset.name ?? provider
  return new Completion(composer, field, {
    hrefOf: (word) => {
      const kind = word.startsWith('#') ? 'hashtag' : 'mention'
      return `/api/brands/${composer.dataset.brand}/suggestions?${new URLSearchParams({ kind, prefix: word })}`
    },
    /** @param {Suggestion} suggestion */
    noteOf: ({ posts, providers }) =>
      posts === 0 ? 'default' : `${posts} ${posts === 1 ? 'post' : 'posts'}: ${providers.map(nameOf).join(', ')}`,
  })
}
