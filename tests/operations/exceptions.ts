/**
 * Where an operation may differ from a rule of the generated tests, and why. It may only shrink: a test fails for an
 * exception that is no longer needed.
 */
export const exceptions = {
  /** A valid input that isn't answered with 2xx. */
  refused: new Map([
    ['refresh', 401], // The sample's token belongs to nobody: tests/identity/sessions.test.ts refreshes.
    ['acceptInvitation', 404], // Ada is invited nowhere: tests/identity/invitations.test.ts accepts.
    ['withdrawPost', 409], // A draft stands on no network: tests/social/publishing.test.ts deletes a published post.
    ['readSandboxMedia', 404], // Nothing was sent there: tests/social/publishing-media.test.ts reads one.
    ['confirmRegistration', 404], // Nobody's link: tests/identity/registration.test.ts follows one.
    ['retryPost', 409], // A draft can't be sent again: tests/social/publishing.test.ts retries.
  ]),
  /** A foreign id that isn't answered with 404. */
  foreign: new Map([
    // A target that the brand doesn't have is a mistake of the form: 422, the same for ids that nobody has.
    ['createPost target.connectionId', 422],
    ['createPost targets.0.target.connectionId', 422],
    ['updatePost target.connectionId', 422],
    // A filter of a list: nothing of the caller's is in it.
    ['listPosts threadId', 200],
  ]),
}
