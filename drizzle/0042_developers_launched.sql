-- The developer console's pages stand: people open it like any other app.
UPDATE identity.services SET launchable = true WHERE slug = 'platform-developer-console';
