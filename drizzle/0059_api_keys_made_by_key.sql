ALTER TABLE "identity"."api_keys" ADD COLUMN "made_by_key" uuid;--> statement-breakpoint
ALTER TABLE "identity"."api_keys" ADD CONSTRAINT "api_keys_made_by_key_api_keys_id_fk" FOREIGN KEY ("made_by_key") REFERENCES "identity"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_made_by_key" ON "identity"."api_keys" USING btree ("made_by_key");