CREATE TABLE "identity"."service_redirect_uris" (
	"service_id" uuid NOT NULL,
	"uri" text NOT NULL,
	CONSTRAINT "service_redirect_uris_service_id_uri_pk" PRIMARY KEY("service_id","uri"),
	CONSTRAINT "service_redirect_uris_form" CHECK ("identity"."service_redirect_uris"."uri" ~ '^[a-z][a-z0-9+.-]*:[^#*\s]+$'),
	CONSTRAINT "service_redirect_uris_length" CHECK (char_length("identity"."service_redirect_uris"."uri") <= 2048)
);
--> statement-breakpoint
CREATE TABLE "identity"."sso_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"service_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"organization_id" uuid,
	"redirect_uri" text NOT NULL,
	"code_challenge" text,
	"scope" text,
	"nonce" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"opened_session_id" uuid,
	CONSTRAINT "sso_codes_challenge_form" CHECK ("identity"."sso_codes"."code_challenge" ~ '^[A-Za-z0-9_-]{43}$'),
	CONSTRAINT "sso_codes_opened" CHECK ("identity"."sso_codes"."opened_session_id" IS NULL OR "identity"."sso_codes"."used_at" IS NOT NULL)
);
--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD COLUMN "service_id" uuid;--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD COLUMN "parent_id" uuid;--> statement-breakpoint
ALTER TABLE "identity"."service_redirect_uris" ADD CONSTRAINT "service_redirect_uris_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "identity"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."sso_codes" ADD CONSTRAINT "sso_codes_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "identity"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."sso_codes" ADD CONSTRAINT "sso_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."sso_codes" ADD CONSTRAINT "sso_codes_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "identity"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."sso_codes" ADD CONSTRAINT "sso_codes_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "identity"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."sso_codes" ADD CONSTRAINT "sso_codes_opened_session_id_sessions_id_fk" FOREIGN KEY ("opened_session_id") REFERENCES "identity"."sessions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sso_codes_session" ON "identity"."sso_codes" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "sso_codes_opened_session" ON "identity"."sso_codes" USING btree ("opened_session_id");--> statement-breakpoint
CREATE INDEX "sso_codes_expires_at" ON "identity"."sso_codes" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD CONSTRAINT "sessions_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "identity"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD CONSTRAINT "sessions_parent_id_sessions_id_fk" FOREIGN KEY ("parent_id") REFERENCES "identity"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_parent" ON "identity"."sessions" USING btree ("parent_id");--> statement-breakpoint
ALTER TABLE "identity"."sessions" ADD CONSTRAINT "sessions_arrival" CHECK (("identity"."sessions"."service_id" IS NULL) = ("identity"."sessions"."parent_id" IS NULL));