using SampleClient;
using Samples;

if (Help.IsShown(args, Arguments.Usage)) { return 0; }

using var output = Console.OpenStandardOutput();
return await Command.RunAsync(args, output, Console.Error);
