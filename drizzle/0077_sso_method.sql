ALTER TABLE "identity"."sign_in_challenges" DROP CONSTRAINT "sign_in_challenges_method";--> statement-breakpoint
ALTER TABLE "identity"."sessions" DROP CONSTRAINT "sessions_method";--> statement-breakpoint
UPDATE "identity"."sign_in_challenges" SET "method" = 'sso' WHERE "method" = 'upstream';--> statement-breakpoint
UPDATE "identity"."sessions" SET "method" = 'sso' WHERE "method" = 'upstream';--> statement-breakpoint
ALTER TABLE "identity"."sign_in_challenges" ADD CONSTRAINT "sign_in_challenges_method" CHECK ("identity"."sign_in_challenges"."method" IN ('password', 'link', 'sso', 'registration'));--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD CONSTRAINT "sessions_method" CHECK ("identity"."sessions"."method" IN ('password', 'passkey', 'link', 'sso', 'registration'));