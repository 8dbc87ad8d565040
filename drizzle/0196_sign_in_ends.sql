ALTER TABLE "social"."connections" ADD COLUMN "sign_in_ends_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "connections_ending" ON "social"."connections" USING btree ("sign_in_ends_at") WHERE active and health = 'ok';--> statement-breakpoint
UPDATE "social"."connections" c SET "sign_in_ends_at" = c."expires_at" FROM "social"."account_checks" k WHERE k."connection_id" = c."id" AND k."is_refreshable" = false;
