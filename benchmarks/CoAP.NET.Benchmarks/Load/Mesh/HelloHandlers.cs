using System.Text.Json.Serialization;
using CoAP.Formats;
using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Benchmarks.Load;

/// <summary>The handler of <c>/hello</c> in the forms in which users write it.</summary>
internal static class HelloHandlers
{
    private const string Text = "Hello, CoAP!";

    private static readonly CoapResponse Shared = Response.Content(Text);
    private static readonly Task<string> Completed = Task.FromResult(Text);

    /// <summary>Maps the handler of a server.</summary>
    /// <param name="resources">The resources of the server.</param>
    /// <param name="form">The form of the handler; <see langword="null"/> for one with a shared response.</param>
    /// <param name="mode">Where a handler without a form runs.</param>
    public static void Map(ResourceMap resources, string? form, HandlerMode mode)
    {
        switch (form)
        {
            case "asynchronous": resources.At("hello").Get(static (_, _) => new ValueTask<CoapResponse>(Shared)); break;
            case "synchronous": resources.At("hello").Get(static _ => Response.Content(Text)); break;
            case "buffered": resources.At("hello").Get(static _ => Response.Content(Text), HandlerMode.Buffered); break;
            case "typed-asynchronous": resources.MapCoapGet("hello", static async () => await Completed); break;
            case "typed-synchronous": resources.MapCoapGet("hello", static () => Text); break;
            case "scoped-asynchronous": resources.MapCoapGet("hello", static async (Greeter greeter) => await greeter.GreetAsync()); break;
            case "scoped-synchronous": resources.MapCoapGet("hello", static (Greeter greeter) => greeter.Greet()); break;
            default: resources.At("hello").Get(static _ => Shared, mode); break;
        }
    }

    /// <summary>Gives each request a scope with a <see cref="Greeter"/>, and JSON for what it returns.</summary>
    public static CoapServerSettings AddServices(CoapServerSettings settings)
    {
        var services = new ServiceCollection().AddScoped<Greeter>().BuildServiceProvider();
        return settings with
        {
            RequestServices = _ => services.CreateScope().ServiceProvider,
            Formats = PayloadFormats.Of(new JsonFormat(GreetingJson.Default)),
        };
    }
}

/// <summary>What handlers with services return.</summary>
internal sealed record Greeting(string Text, int Number);

[JsonSerializable(typeof(Greeting))]
internal sealed partial class GreetingJson : JsonSerializerContext;

/// <summary>A service of one request.</summary>
internal sealed class Greeter
{
    private static readonly Greeting Value = new("Hello, CoAP!", 7);
    private static readonly Task<Greeting> Completed = Task.FromResult(Value);

    public Greeting Greet() => Value;

    public Task<Greeting> GreetAsync() => Completed;
}
