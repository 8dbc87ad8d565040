/** Where a page is exempt from a rule of tests/operations/fragments.test.ts, and why. A test fails for an exception that is no longer needed. */

/** `<page> <operation>`: the page draws the operation's result without containing its fragment. */
export const drawnDifferently = new Map<string, string>([
  ['/settings/audit listMembers', 'The choices of the filter by member.'],
  ['/settings/sign-in getOrganization', 'Whether it requires a second factor; its name is on the general page.'],
  ['/workspace/media listMedia', 'Tiles that open a file.'],
  ['/workspace/images getImageModels', 'The form of the page; the view is the dialog of the library and the composer.'],
  ['/workspace/posts listPosts', 'Failed posts first, then from today on, with the earlier days after them.'],
  ['/workspace/posts/:id/edit getPost', 'The composer.'],
  ['/workspace/calendar getPostFilterOptions', 'The filters of the calendar.'],
  ['/workspace/calendar/:id/move getPost', 'The form that moves it.'],
  ['/workspace/queue getPostFilterOptions', 'The filters of the queue.'],
  ['/workspace/queue getBrand', 'Only its queue slots.'],
  ['/workspace/queue/:id/move getPost', 'The form that moves it.'],
  ['/workspace/posts/new getBrand', 'Only its hashtags, which the composer suggests.'],
  ['/workspace/posts/new listPosts', 'Only whether the organization has a post.'],
  ...['', '/calendar', '/queue', '/media', '/feed'].map((page): [string, string] => [
    `/workspace${page} getCurrentBrand`,
    'The menu of brands leads to the same page of the others.',
  ]),
  ['/workspace/accounts listPosts', 'Only whether the organization has a post.'],
  ['/workspace/accounts/:id listPosts', 'The next and the latest posts, each as a line.'],
  ['/register getSignInOptions', 'Shows the providers beside its own form.'],
  ['/developers/apps/:id/actions/:actionId getOwnDeveloperApp', 'The form of an action.'],
  ['/developers/apps/:id getOwnDeveloperOrganization', 'Says only why developer access was revoked, if it was.'],
  ['/developers/apps/:id listRequestableScopes', 'Those that the app requests are checked.'],
  ['/developers/apps/:id/new-action getOwnDeveloperApp', 'The form of an action.'],
  ['/admin/jobs listReceivedWebhooks', 'One line with the counts, which links to the list.'],
  ['/dev/mailbox/:id listKeptMails', 'Marks the opened email.'],
  ['/gateway/mail/:id listLoggedEmails', 'Marks the opened email.'],
  ['/settings/webhooks/:id listWebhookEvents', 'The dialog checks the events of the webhook.'],
  ['/pay/webhooks listProviderEndpoints', 'Only whether the person can search for lost events.'],
  ...['taxes', 'fees', 'refunds', 'payouts', 'disputes'].map((tab): [string, string] => [
    `/pay/reports/${tab} getReportOptions`,
    'Its filters lead to the tab.',
  ]),
  ['/pay/customers/:id getCustomer', 'Its payment methods and activity are between its parts.'],
  ['/settings/dashboard getDashboard', 'Names the widgets, without their cards.'],
  ['/pay/settlements/:batchId getSettlement', 'The items are between the state and the callbacks.'],
])

/** `<page> <operation>`: the page asks the operation, and its result decides without being visible. */
export const notDrawn = new Map<string, string>([
  ['/developers/apps/:id getOwnDeveloperOrganization', 'Its state decides; its name is on the page of apps.'],
  ['/pay/merchants getMerchantSales', 'They belong to venues by their ID.'],
  ['/workspace/accounts listPosts', 'The first steps are there while there is no post.'],
  ['/workspace/images getCurrentBrand', 'Only which brand it is; its name and colors come with the models.'],
])

/** Operations that pages ask and that have no view. */
export const withoutView = new Map<string, string>([
  ['getPaymentAuditOptions', 'The choices of its filters.'],
  ['getProofMethods', 'Decides which fields a form has.'],
  ['getAdminSession', 'Decides what the page offers.'],
  ['getCalendar', 'The page reloads itself: it has the days of a view, which the operation doesn’t know.'],
  ['getQueue', 'The page reloads itself, as the calendar.'],
  ['listQueueSlots', 'The next free one is a choice of the composer.'],
  ['listWorkflowPeople', 'The choices of the steps that notify.'],
  ['getMerchantSales', 'Its numbers are in the rows of venues.'],
  ['getWaitlistEntry', 'The public site has no scripts, so nothing reloads a part of it.'],
  ['getDemoBooking', 'The public site has no scripts, so nothing reloads a part of it.'],
  ['listDemoSlots', 'The same.'],
  ['listPackages', 'The same.'],
])

/** Pages that ask nothing. */
export const withoutData = new Map<string, string>([
  ['/auth/callback', 'Its script exchanges the code of a sign-in.'],
  ['/', 'The front page of signed-out visitors has no data.'],
  ['/forgot-password', 'A form.'],
  ['/unsubscribe', 'A form with the token of its link.'],
  ['/checkout', 'Its prices are those that payments lists publicly.'],
  ['/contact', 'A form.'],
  ['/feedback', 'A form.'],
  ['/waitlist', 'A form.'],
  ['/privacy', 'A text.'],
  ['/terms', 'A text.'],
  ['/imprint', 'A text.'],
  ['/settings', 'Lists the pages of the settings, which the frame has.'],
  ['/login/link', 'A form.'],
  ['/login/deletion', 'Shows the deletion only after a sign-in, by its cookie.'],
  ['/openapi', 'Draws the API description, which /openapi.json answers.'],
  ['/openapi/:tag', 'Draws the API description, which /openapi.json answers.'],
])

/** Pages that only redirect, with the status that they have here. */
export const redirecting = new Map<string, number>([
  ['/login/sso/:provider/callback', 303],
  ['/workspace/accounts/callback/:platform', 303],
  ['/workspace/accounts/choose', 303],
  ['/sso/authorize', 422],
  ['/launch/:service_id', 303],
  // The post of the world is a draft.
  ['/workspace/posts/:id/correct', 303],
])

/** Operations that refuse the sample with this status, because of what the world doesn't have. */
export const refusing = new Map<string, number>([
  // Neither is the code right, nor is there an admin session.
  ['POST /api/checkout/:id/accept', 409],
  // No deletion is pending.
  ['DELETE /api/admin/organizations/:id/deletion', 404],
  ['DELETE /api/admin/users/:id/deletion', 404],
  ['DELETE /api/organizations/:id/deletion', 404],
  // The post isn't published, and didn't fail.
  ['DELETE /api/posts/:id/publication', 409],
  ['POST /api/posts/:id/retry', 409],
  // No approved text was changed.
  ['POST /api/posts/:id/restore-approved-text', 409],
  // Nothing was consented to.
  ['POST /api/integrations/:platform/targets', 409],
  // The sample names the owner.
  ['POST /api/organizations/:id/owner', 422],
  // The person has an authenticator app, so no code is emailed.
  ['POST /api/auth/me/proof-code', 409],
  // Deliveries that other operations of this test enqueued leave the webhook disabled, or a test event waiting.
  ['POST /api/webhooks/:id/test', 409],
])

/** Operations that refuse the sample only in the first minute of the world: slow runs are later. */
export const refusingAtFirst = new Map<string, number>([
  // The invitation was sent a moment ago.
  ['POST /api/organizations/:id/invitations/:invitationId/resend', 429],
])
