require('dep');
