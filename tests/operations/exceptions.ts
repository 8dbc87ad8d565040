/**
 * Where an operation is exempt from a rule of the generated tests, and why. The list can only shrink: a test fails for
 * an exception that is no longer needed.
 */
export const exceptions = {
  /** A valid input without a 2xx response. */
  refused: new Map([
    ['signInFromCheckout', 409], // Not of the browser that paid: tests/dashboard/billing/checkout.test.ts signs in.
    ['orderPackage', 409], // Ada has a subscription: tests/dashboard/billing/billing.test.ts orders without one.
    ['acceptCheckout', 409], // It is settled: tests/dashboard/billing/checkout.test.ts accepts a waiting one.
    ['withdrawPost', 409], // A draft is on no network: tests/social/publishing.test.ts deletes a published post.
    ['correctPost', 409], // As for withdrawPost: tests/social/corrections.test.ts corrects published posts.
    ['retryPost', 409], // A draft can't be sent again: tests/social/publishing.test.ts retries.
  ]),
  /** A foreign id without a 404 response. */
  foreign: new Map([
    // A target that the brand doesn't have is an invalid field: 422, the same as for unknown ids.
    ['createPost target.connectionId', 422],
    ['createPost targets.0.target.connectionId', 422],
    ['updatePost target.connectionId', 422],
    // A list filter: the result contains nothing of the caller's.
    ['listPosts threadId', 200],
  ]),
}
