using Microsoft.Extensions.Configuration;

namespace SampleHostedServer;

/// <summary>Greets with the word of the setting "Greeting".</summary>
internal sealed class Greeter(IConfiguration configuration) : IGreeter
{
    public string Greet(string name) => $"{configuration["Greeting"] ?? "Hello"}, {name}!";
}
