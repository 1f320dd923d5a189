using System.Xml.Linq;
using CoAP.Packaging;

// Writes what packages contain besides assemblies. Packaging.targets runs it.
try
{
    switch (args)
    {
        case ["notes", var changelog, var version, var output]:
            File.WriteAllText(output, ReleaseNotes.Of(File.ReadAllText(changelog), version));
            return 0;
        case ["readme", var page, var pagesUrl, var output]:
            File.WriteAllText(output, PackageReadme.From(File.ReadAllText(page), pagesUrl));
            return 0;
        case ["documentation", var assembly, var documentation, var references, var output]:
            var visible = VisibleMembers.Of(assembly, File.ReadAllLines(references));
            var document = XDocument.Load(documentation, LoadOptions.PreserveWhitespace);
            VisibleDocumentation.Keep(document, visible);
            document.Save(output);
            return 0;
        default:
            Console.Error.WriteLine("""
                PackageContents notes CHANGELOG VERSION OUTPUT
                PackageContents readme PAGE URL_OF_PAGES OUTPUT
                PackageContents documentation ASSEMBLY DOCUMENTATION REFERENCES OUTPUT
                """);
            return 2;
    }
}
catch (Exception wrong) when (wrong is InvalidDataException or IOException)
{
    Console.Error.WriteLine($"error : {wrong.Message}");
    return 1;
}
