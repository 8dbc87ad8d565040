ALTER TABLE "identity"."users" ADD COLUMN "email_verified_at" timestamp (3) with time zone;--> statement-breakpoint
-- Sign-ups have been confirmed by mail, except where an organization's provider made the account and where the operator
-- turned that off.
UPDATE identity.users SET email_verified_at = created_at
WHERE principal_type <> 'agent'
  AND NOT EXISTS (SELECT FROM identity.upstream_identities AS made WHERE made.user_id = users.id AND made.domain IS NOT NULL);
