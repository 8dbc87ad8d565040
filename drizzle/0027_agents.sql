ALTER TABLE "identity"."api_keys" ADD COLUMN "agent_id" uuid;--> statement-breakpoint
ALTER TABLE "identity"."api_keys" ADD CONSTRAINT "api_keys_agent_id_users_id_fk" FOREIGN KEY ("agent_id") REFERENCES "identity"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_agent" ON "identity"."api_keys" USING btree ("agent_id");--> statement-breakpoint
ALTER TABLE "identity"."users" ADD CONSTRAINT "users_agent_password" CHECK ("identity"."users"."principal_type" <> 'agent' OR "identity"."users"."password_hash" IS NULL);