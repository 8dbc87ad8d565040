CREATE TABLE "identity"."action_sets" (
	"service_id" uuid NOT NULL,
	"app" text NOT NULL,
	"digest" text NOT NULL,
	"synced_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "action_sets_service_id_app_pk" PRIMARY KEY("service_id","app")
);
--> statement-breakpoint
CREATE TABLE "identity"."actions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"service_id" uuid NOT NULL,
	"app" text NOT NULL,
	"name" text NOT NULL,
	"summary" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"permission" text NOT NULL,
	"input_schema" jsonb NOT NULL,
	CONSTRAINT "actions_name" UNIQUE("service_id","name"),
	CONSTRAINT "actions_method" CHECK ("identity"."actions"."method" IN ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')),
	CONSTRAINT "actions_path_form" CHECK ("identity"."actions"."path" ~ '^/'),
	CONSTRAINT "actions_input_schema" CHECK (jsonb_typeof("identity"."actions"."input_schema") = 'object')
);
--> statement-breakpoint
ALTER TABLE "identity"."action_sets" ADD CONSTRAINT "action_sets_service_id_services_id_fk" FOREIGN KEY ("service_id") REFERENCES "identity"."services"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."actions" ADD CONSTRAINT "actions_action_set" FOREIGN KEY ("service_id","app") REFERENCES "identity"."action_sets"("service_id","app") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."actions" ADD CONSTRAINT "actions_permission" FOREIGN KEY ("service_id","permission") REFERENCES "identity"."service_permissions"("service_id","permission") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "actions_set" ON "identity"."actions" USING btree ("service_id","app");