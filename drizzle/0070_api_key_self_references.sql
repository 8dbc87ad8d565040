ALTER TABLE "identity"."api_keys" DROP CONSTRAINT "api_keys_made_by_key_api_keys_id_fk";
--> statement-breakpoint
ALTER TABLE "identity"."api_keys" DROP CONSTRAINT "api_keys_rotated_from_api_keys_id_fk";
--> statement-breakpoint
ALTER TABLE "identity"."api_keys" ADD CONSTRAINT "api_keys_made_by_key_api_keys_id_fk" FOREIGN KEY ("made_by_key") REFERENCES "identity"."api_keys"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."api_keys" ADD CONSTRAINT "api_keys_rotated_from_api_keys_id_fk" FOREIGN KEY ("rotated_from") REFERENCES "identity"."api_keys"("id") ON DELETE set null ON UPDATE no action;