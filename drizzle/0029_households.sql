CREATE TABLE "identity"."household_invitations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"household_id" uuid NOT NULL,
	"email" text NOT NULL,
	"invited_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "household_invitations_email" UNIQUE("household_id","email"),
	CONSTRAINT "household_invitations_email_form" CHECK ("identity"."household_invitations"."email" = lower("identity"."household_invitations"."email"))
);
--> statement-breakpoint
CREATE TABLE "identity"."household_members" (
	"household_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"selected" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "household_members_household_id_user_id_pk" PRIMARY KEY("household_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "identity"."households" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "households_name_length" CHECK (char_length("identity"."households"."name") BETWEEN 1 AND 100)
);
--> statement-breakpoint
ALTER TABLE "identity"."household_invitations" ADD CONSTRAINT "household_invitations_household_id_households_id_fk" FOREIGN KEY ("household_id") REFERENCES "identity"."households"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."household_invitations" ADD CONSTRAINT "household_invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."household_members" ADD CONSTRAINT "household_members_household_id_households_id_fk" FOREIGN KEY ("household_id") REFERENCES "identity"."households"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identity"."household_members" ADD CONSTRAINT "household_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "identity"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "household_invitations_addressee" ON "identity"."household_invitations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "household_invitations_invited_by" ON "identity"."household_invitations" USING btree ("invited_by");--> statement-breakpoint
CREATE INDEX "household_members_user" ON "identity"."household_members" USING btree ("user_id","household_id");--> statement-breakpoint
CREATE UNIQUE INDEX "household_members_selected" ON "identity"."household_members" USING btree ("user_id") WHERE "identity"."household_members"."selected";