touch sent
