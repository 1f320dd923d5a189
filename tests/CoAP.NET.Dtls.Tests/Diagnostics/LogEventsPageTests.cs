using System.Reflection;
using CoAP.Hosting;
using CoAP.Tests.Architecture;
using CoAP.Vocabulary;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Dtls.Diagnostics;

/// <summary>The list of log messages in the documentation, generated from the messages themselves.</summary>
public sealed class LogEventsPageTests
{
    private const BindingFlags Any = BindingFlags.Static | BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    private static readonly IReadOnlyList<(string Name, LoggerMessageAttribute Message)> Messages =
        [.. new[] { typeof(CoapServer), typeof(DtlsServerSettings), typeof(CoapServerBuilder), typeof(CoapEndpointRouteBuilderExtensions) }
            .SelectMany(type => type.Assembly.GetTypes()).SelectMany(type => type.GetMethods(Any))
            .Select(method => (method.Name, Message: method.GetCustomAttribute<LoggerMessageAttribute>()!)).Where(one => one.Message is not null)
            .OrderBy(one => one.Message.EventId)];

    [Fact]
    public void The_page_lists_all_messages()
    {
        List<string> lines =
        [
            "# Log messages", "",
            "This page lists the messages that CoAP.NET writes to a log. IDs and names are stable: filters and alerts may rely on them.",
            "[The log](logging.md) shows how to switch it on. The list is generated from the source code.", "",
            "| ID | name | level | category | text |", "| ---: | --- | --- | --- | --- |",
            .. Messages.Select(one => $"| {one.Message.EventId} | {one.Name} | {one.Message.Level} | {LogCategories.Of(one.Message.EventId)} | {Text(one.Message)} |"),
        ];

        Messages.Count.Should().BeGreaterThan(40);
        Approved.Check("docs/log-messages.md", lines);
    }

    [Fact]
    public void Each_message_has_an_id_of_its_own() => Messages.Select(one => one.Message.EventId).Should().OnlyHaveUniqueItems();

    [Fact]
    public void Each_event_of_the_library_has_the_name_of_its_message_and_a_category()
    {
        var library = typeof(CoapServer).Assembly.GetTypes().SelectMany(type => type.GetMethods(Any))
            .Select(method => (method.Name, Message: method.GetCustomAttribute<LoggerMessageAttribute>())).Where(one => one.Message is not null);

        library.Select(one => $"{one.Name} {one.Message!.EventId}").Should().BeEquivalentTo(Enum.GetValues<LogEvent>().Select(one => $"{one} {(int)one}"));
        Enum.GetValues<LogEvent>().Should().OnlyContain(one => LogCategories.OfLibrary(one) != null && LogCategories.OfPackage((int)one) == null);
    }

    [Fact]
    public void Each_event_of_another_package_is_in_a_range_of_its_package() =>
        Messages.Where(one => !Enum.IsDefined((LogEvent)one.Message.EventId)).Should().HaveCountGreaterThan(8)
            .And.OnlyContain(one => LogCategories.OfPackage(one.Message.EventId) != null);

    [Fact]
    public void Each_category_has_messages() =>
        Messages.Select(one => LogCategories.Of(one.Message.EventId)).Distinct().Should().BeEquivalentTo(LogCategories.All);

    // The number of similar messages is not a part of the text.
    private static string Text(LoggerMessageAttribute message) => message.Message!.Replace("{Held}", "", StringComparison.Ordinal).Replace("|", "\\|", StringComparison.Ordinal);
}
