ALTER TABLE "social"."authorizations" ADD COLUMN "is_onboarding" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "post_checks_brand" ON "social"."post_checks" USING btree ("brand_id");--> statement-breakpoint
DELETE FROM "social"."post_checks" USING "social"."posts" WHERE "posts"."id" = "post_checks"."post_id" AND "posts"."status" <> 'scheduled' AND "post_checks"."state" <> 'problem';
